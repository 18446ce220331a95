"""Makes the model files of @loredex/multilingual: see the README beside this folder."""
