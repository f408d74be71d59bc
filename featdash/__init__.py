"""FeatDash: why gradient descent on a two-layer network learns what kernels cannot.

Read in this order; imports point only to packages further up this list:

    theory       mathematics without data: Hermite polynomials, targets, predictions
    tasks        where samples come from: one seeded stream a purpose
    learners     data -> predictor: Algorithm 1, random features, tangent kernel
    geometry     what a first layer looks like: alignment, similarity
    experiments  a frozen Spec -> events -> a result
    runs         the queue, the workers and the store
    figures      finished numbers -> plotly figures
    ui           Streamlit controls, live panels and lesson blocks
"""
