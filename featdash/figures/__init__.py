"""The drawing kit: finished numbers become plotly figures, each a `picture.Picture` in the looks of `palette`."""
