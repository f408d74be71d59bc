"""What a visitor takes away of a run, as files and text, in reading order:

document    what goes with the run: words, settings, link, code, date
papers      the papers behind the lessons, as BibTeX has them
citation    BibTeX of the papers of a lesson and of the run
comparison  the numbers of two summaries beside each other
notebook    a Jupyter notebook that carries the run out again and draws its pictures
markdown    a lesson's words as HTML, formulas as MathML
slider      pictures at the stops of sliders, each as its difference from the one at rest
html_file   one HTML file that opens offline
"""
