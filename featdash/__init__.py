"""FeatDash: why gradient descent on a two-layer network learns what fixed kernels cannot.

Read in this order; a package imports only from those above it:

    theory       mathematics without data: Hermite polynomials, targets, predictions
    tasks        where samples come from: one seeded stream for each purpose
    learners     data -> predictor: Algorithm 1, random features, tangent kernel
    geometry     what a first layer looks like: alignment, similarity
    recipes      what a run is made from and what it says: Spec, Experiment, events
    stories      guided lessons in words: their format and their checks
    runs         the queue, the workers and the store
    figures      the drawing kit: what a picture is and how it looks, axes and labels
    export       what one takes away of a run: notebook, HTML file, citation
    classroom    a class that predicts together: rooms, answers, the page of a phone
    ui           the Streamlit kit: page, form, link, panels, charts
    lessons      a folder a lesson, or several of one idea: recipe, run, pictures and page
    server       what stands in front of Streamlit

Words of our own:

    Spec         the settings of a run: frozen, checked, its own cache key, link and command line
    rule         what a field of a Spec accepts
    Experiment   a Spec, what it costs, and the generator that computes it
    composite    a run made of other runs, its cells, as a sweep is: that of a Grid
    cell         one of the runs of a composite
    gap          a cell that failed; Run computes the gaps only
    recorded     a recorded run is shipped with the package, and on show before any click
    private      a private run is on a visitor's own arrays: it stays in memory, and no link names it
    Frame        small named arrays that a run gives out while it goes on
    stream       the frames of one kind, in their order; of random numbers: those of one purpose
    Lesson       an experiment with its words, settings and panels; a page shows one or several
    Trial        a button under «Try»: settings, and what should happen
    Panel        a picture's place on a page, and the function that draws it
    View         all that a panel may read: a run, so far, as one visitor wants to see it
    options      what the switches over the pictures are set to
    Film         what moves in a picture from moment to moment, which the browser plays
    Phase        a part of a timeline, as «the step» of a race
    path         the heads of one ridge problem for every λ and every t, solved once
    room         a class that answers together, known by a code of four letters
    bench        a layer frozen and given a new head on another polynomial, against a network from scratch
"""
