"""Finished numbers become plotly figures.

What all pictures share, then the pictures:

    palette         colours, dashes and markers of the methods; light, dark and presenter looks
    lettering       symbols and numbers where no LaTeX is available
    picture         what a figure function returns: figure, alt sentence, table
    risk_scale      the risks and their axis
    seed_band       a mean over seeds with its band, against a power of d
    panel_labels    direct labels of one panel among several
    risk_curves     risk against head steps t
    ridge_curve     risk against λ
    neurons         neurons by cosine similarity
    alignment       principal directions against the layer's
    hermite_energy  energy by degree
    profile         the learned function along u₁
    step_axis       training steps, the first as visible as the last
    accuracy_curves, neuron_clusters, gradient_components, hinge_bound, digit_neurons    emergence
    recovery_timeline, teacher_space    recovery
    sample_complexity   risk against n, a panel a width
    phase_map       d against n: alignment, or risk ratio
    gradient_terms, spectrum, algorithm_listing, ablation, degenerate    one step
    transfer        a refitted head: risk against n and N; the bench
"""
