use strict;
sub inner { die "lost" }
sub outer { inner(1) }
print $undeclared;
outer();
