from signal import *
