import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { pages, screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }
const list = { ...parent, validateSearch: parseListSearch }

export const workflowsRoute = createRoute({
  ...list,
  path: 'workflows',
  ...screen('Workflows', pages.workflows),
})
export const workflowCreateRoute = createRoute({
  ...parent,
  path: 'workflows/create',
  ...screen('Create workflow', pages.workflowEditor),
})
export const runsRoute = createRoute({ ...list, path: 'workflows/runs', ...screen('Runs', pages.runs) })
export const workflowRoute = createRoute({
  ...list,
  path: 'workflows/$id',
  ...screen('Workflow', pages.workflow),
})
export const workflowEditRoute = createRoute({
  ...parent,
  path: 'workflows/$id/edit',
  ...screen('Edit workflow', pages.workflowEditor),
})
export const workflowExecuteRoute = createRoute({
  ...parent,
  path: 'workflows/$id/execute',
  ...screen('Execute workflow', pages.workflowExecute),
})
export const runCompareRoute = createRoute({
  ...parent,
  path: 'workflows/runs/compare',
  ...screen('Compare runs', pages.runCompare),
})
export const approvalsRoute = createRoute({
  ...list,
  path: 'workflows/approvals',
  ...screen('Approvals', pages.approvals),
})
export const approvalRoute = createRoute({
  ...parent,
  path: 'workflows/approvals/$approvalId',
  ...screen('Approval', pages.approval),
})
export const runRoute = createRoute({
  ...parent,
  path: 'workflows/$workflowId/runs/$runId',
  ...screen('Run', pages.run),
})
