def broken
  A = 1
end
