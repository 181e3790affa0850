local function inner(x)
  return x.missing
end
inner(nil)
