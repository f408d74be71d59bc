"""The drawing kit: finished numbers become plotly figures, each a `picture.Picture` in the one look of all."""
