export { withGetters, withThrowingGetter } from '../../src/testing/conformance/tools.js'
