import * as main from 'code-runtime'
import * as backend from 'code-runtime/backend'
import * as testing from 'code-runtime/testing'
import { check } from './check.cjs'

await check(main, testing, backend)
