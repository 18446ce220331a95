"""Makes the student of @loredex/core: a table of word-piece vectors taught by the encoder of @loredex/minilm."""
