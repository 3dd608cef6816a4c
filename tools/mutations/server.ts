import type { Mutation } from './mutation.ts'

export const serverMutations: readonly Mutation[] = [
  {
    row: 'POST /api/v1/workflows/{id}/runs — body',
    file: 'packages/server/src/features/workflows/runs/starting/start-workflow-run.ts',
    from: 'const input = checkedInput(definition.inputSchema, start.input)',
    to: 'const input = checkedInput(definition.inputSchema, {})',
    test: 'packages/server/src/specified-calls.test.ts',
    title: 'POST /%s starts a run with the input of its body',
  },
  {
    row: 'DELETE /api/secrets/{id}.',
    file: 'packages/server/src/features/secrets/store.ts',
    from: "return inArray(secrets.status, ['active', 'disabled'])",
    to: "return inArray(secrets.status, ['active', 'disabled', 'pending_deletion'])",
    test: 'packages/server/src/specified-calls.test.ts',
    title: 'DELETE of a secret leaves it in no list of secrets that are in use',
  },
  {
    row: 'GET, PUT (snake_case body), DELETE',
    file: 'packages/contract/src/base/wire.ts',
    from: '[wire, camelName])',
    to: '[camelName, wire])',
    test: 'packages/server/src/specified-calls.test.ts',
    title: 'PUT of a workflow takes the body in snake_case, and GET answers it so',
  },
  {
    row: 'List filters: userId, url, componentName.',
    file: 'packages/server/src/features/annotations/store.ts',
    from: 'userId === undefined ? undefined : eq(annotations.userId, userId),',
    to: '',
    test: 'packages/server/src/features/annotations/annotations.test.ts',
    title: 'the list is filtered by author, page, component, status and text',
  },
  {
    row: 'Special users: a developer status bar',
    file: 'packages/server/src/features/auth/present.ts',
    from: 'row.email === developerEmail ?',
    to: 'row.email !== undefined ?',
    test: 'packages/server/src/features/auth/developer.test.ts',
    title: 'nobody else learns that there is a developer, let alone the address',
  },
  {
    row: 'Error log entry: message, stack',
    file: 'packages/server/src/features/error-log/report.ts',
    from: 'errorBoundaryStack: text(entry.errorBoundaryStack),',
    to: "errorBoundaryStack: text(''),",
    test: 'packages/server/src/features/error-log/error-log.test.ts',
    title: 'an entry is kept with every field that is specified',
  },
]
