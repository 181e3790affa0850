<?php
class A extends A { final abstract function f(); }
