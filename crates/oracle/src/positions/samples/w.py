import warnings
warnings.warn("old", DeprecationWarning, stacklevel=1)
