program p
  integer :: a
  a = "text"
end program
