const onlyFrom = (name, home, to) => ({ name, severity: 'error', from: { path: '^src/', pathNot: home }, to })

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.d\\.ts$' },
      to: {},
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^bridge:source$' } },
    {
      name: 'no-development-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },

    {
      name: 'domain-is-pure',
      comment: 'src/domain imports only src/domain',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    {
      name: 'ports-know-the-domain',
      comment: 'src/ports imports src/domain and src/ports',
      severity: 'error',
      from: { path: '^src/ports/', pathNot: '^src/ports/tokens\\.ts$' },
      to: { pathNot: '^src/(domain|ports)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'ports-name-node-types-only',
      severity: 'error',
      from: { path: '^src/ports/' },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tokens-know-the-ports',
      comment: 'src/ports/tokens.ts may also import the types of inversify',
      severity: 'error',
      from: { path: '^src/ports/tokens\\.ts$' },
      to: { pathNot: ['^src/(domain|ports)/', '^node_modules/inversify/'] },
    },
    {
      name: 'adapters-know-the-ports',
      comment: 'src/adapters imports nothing of the application',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/', pathNot: '^src/(domain|ports|adapters)/' },
    },
    {
      name: 'adapters-do-not-know-each-other',
      comment: 'src/adapters/x imports its own files and those directly in src/adapters',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/[^/]+/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'shared-adapters-know-no-adapter',
      comment: 'files directly in src/adapters import no src/adapters/x',
      severity: 'error',
      from: { path: '^src/adapters/[^/]+$' },
      to: { path: '^src/adapters/[^/]+/' },
    },
    {
      name: 'guest-is-light',
      comment: 'the worker guest imports of src only the domain, the worker shapes, the JSON engine and itself',
      severity: 'error',
      from: { path: '^src/adapters/worker/guest/' },
      to: {
        dependencyTypesNot: ['core'],
        pathNot: [
          '^src/domain/',
          '^src/adapters/worker/[^/]+$',
          '^src/adapters/worker/guest/',
          '^src/adapters/json-engine\\.ts$',
          '^bridge:source$',
        ],
      },
    },
    {
      name: 'guest-reaches-no-package',
      comment: 'every package costs the start of every run',
      severity: 'error',
      from: { path: '^src/adapters/worker/guest/' },
      to: { reachable: true, path: '^node_modules/' },
    },
    {
      name: 'host-does-not-load-the-guest',
      comment: 'guest code runs in the worker only; its shapes may be shared as types',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/worker/guest/' },
      to: { path: '^src/adapters/worker/guest/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'portable-guest-is-pure',
      comment: 'what engines other than V8 run is domain and guest files only',
      severity: 'error',
      from: { path: '^src/adapters/worker/guest/portable/' },
      to: { reachable: true, pathNot: ['^src/domain/', '^src/adapters/worker/guest/'] },
    },
    {
      name: 'bridge-is-pure',
      comment: 'what the bridge reaches is domain and guest files only',
      severity: 'error',
      from: { path: '^src/adapters/worker/guest/bridge\\.ts$' },
      to: { reachable: true, pathNot: ['^src/domain/', '^src/adapters/worker/guest/'] },
    },

    {
      name: 'fakes-know-the-ports',
      comment: 'src/testing imports src/domain, src/ports and itself; of the application the types of a runtime',
      severity: 'error',
      from: { path: '^src/testing/', pathNot: '^src/testing/fake-runtime/' },
      to: { pathNot: '^src/((domain|ports|testing)/|runtime\\.ts$)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'fakes-know-the-type-of-a-runtime',
      severity: 'error',
      from: { path: '^src/testing/' },
      to: { path: '^src/runtime\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'fake-runtime-wraps-the-real-one',
      comment: 'src/testing/fake-runtime may also import the public entry and the JSON engine',
      severity: 'error',
      from: { path: '^src/testing/fake-runtime/' },
      to: {
        pathNot: ['^src/(domain|ports|testing)/', '^src/index\\.ts$', '^src/adapters/json-engine\\.ts$'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'fakes-stay-in-testing',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(testing|cli)(\\.ts$|/)' },
      to: { path: '^src/testing(\\.ts$|/)' },
    },

    {
      name: 'the-command-is-an-entry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli(\\.ts$|/)' },
      to: { path: '^src/cli(\\.ts$|/)' },
    },

    onlyFrom('inversify-in-the-container', '^src/(container|ports/tokens)\\.ts$', { path: '^node_modules/inversify/' }),
    {
      name: 'tokens-are-types',
      severity: 'error',
      from: { path: '^src/ports/' },
      to: { path: '^node_modules/', dependencyTypesNot: ['type-only'] },
    },
    onlyFrom('reflect-metadata-in-the-container', '^src/container\\.ts$', { path: '^node_modules/reflect-metadata/' }),
    onlyFrom('zod-in-the-options', '^src/adapters/options\\.ts$', { path: '^node_modules/zod/' }),
    onlyFrom('swc-in-the-transformer', '^src/adapters/typescript/', { path: '^node_modules/@swc/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    cache: false,
  },
}
