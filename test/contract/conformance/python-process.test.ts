import { registerOwn } from './register.js'

registerOwn('Python, process')
