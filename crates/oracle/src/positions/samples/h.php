<?php
function inner($x) {
    return $x->missing();
}
echo $undefined;
inner(null);
