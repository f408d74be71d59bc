"""What a visitor takes away of a run, as files and text, in reading order:

document         what is said of the run: words, settings, link, code, date
papers           the papers behind the lessons, as BibTeX has them
citation         BibTeX of the papers of a lesson and of the run
python_source    plain values and frozen dataclasses as Python that makes them again
comparison       the numbers of two summaries beside each other
notebook         a Jupyter notebook that carries the run out again and draws its pictures
formula          TeX between dollar signs as MathML
markdown         a lesson's words as HTML
slider           pictures at the stops of sliders, each told by its difference from the one at rest
html_file        one HTML file that opens offline
"""
