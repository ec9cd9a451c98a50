"""Evidence told in the user's words, without what does not survive reading back and running."""
