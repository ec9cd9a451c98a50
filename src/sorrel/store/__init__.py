"""What is kept between runs: claims in a text file beside the source, none of which is believed (docs/store.md)."""
