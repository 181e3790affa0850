def inner():
    nonlocal missing
