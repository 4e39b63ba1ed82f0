from collections import deque as deque
