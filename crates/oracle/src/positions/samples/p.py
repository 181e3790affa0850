def inner(values):
    return values["missing"]

def outer():
    return inner({})

outer()
