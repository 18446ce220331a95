"""Makes the model files of @loredex/minilm: see the README beside this folder."""
