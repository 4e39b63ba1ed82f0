const { check } = require('./check.cjs')

check(require('code-runtime'), require('code-runtime/testing'), require('code-runtime/backend'))
