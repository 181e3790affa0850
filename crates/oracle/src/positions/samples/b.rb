def inner(x)
  x.missing
end
def outer
  inner(nil)
end
outer
