import { registerOwn } from './register.js'

registerOwn('Python, fork server')
