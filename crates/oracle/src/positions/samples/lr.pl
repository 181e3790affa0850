use strict; use Carp;
sub inner { Carp::confess("lost") }
sub outer { inner(1) }
outer();
