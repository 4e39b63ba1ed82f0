const assert = require('node:assert/strict')
const { runInThisContext } = require('node:vm')

exports.check = async ({ createCodeRuntime }, testing, { readGuestScripts }) => {
  const runtime = await createCodeRuntime()
  try {
    const { value, logs, error } = await runtime.run({
      program: 'const w = await tools.echo({ a: 1 }); console.log(w.a); return w.a + 1',
      bindings: [{ global: 'tools', functions: { echo: async (x) => x } }],
    })
    assert.equal(error, undefined)
    assert.equal(value, 2)
    assert.deepEqual(logs, ['1'])
    assert.ok(Object.keys(testing).length > 0)
    const { agent, realm } = await readGuestScripts()
    assert.deepEqual([typeof runInThisContext(realm), agent.includes('createAgent')], ['function', true])
  } finally {
    await runtime.dispose()
  }
}
