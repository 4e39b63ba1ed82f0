import { registerOwn } from './register.js'

registerOwn('TypeScript, worker thread')
