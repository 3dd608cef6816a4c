/** A line or two in a file that lists nouns: `text` goes before the first match of `before`. */
export type Edit = { path: string; before: RegExp; text: string }

/** Every file that is edited by hand of the templates' noun; the generated ones come with their commands. */
export const edits: readonly Edit[] = [
  {
    path: 'packages/contract/src/api.ts',
    before: /^\/\*\* Every endpoint/m,
    text: "import { gizmoWidgetEndpoints } from './gizmo-widgets/endpoints.ts'\n\n",
  },
  {
    path: 'packages/contract/src/api.ts',
    before: /^} as const$/m,
    text: '  ...gizmoWidgetEndpoints,\n',
  },
  {
    path: 'packages/contract/src/base/entity-table.ts',
    before: /^\/\*\* Every type of thing/m,
    text:
      "import type { GizmoWidgetEvents } from '../gizmo-widgets/entity.ts'\n" +
      "import { gizmoWidgetEntity, gizmoWidgetPermissions } from '../gizmo-widgets/entity.ts'\n\n",
  },
  {
    path: 'packages/contract/src/base/entity-table.ts',
    before: /^} as const$/m,
    text: '  gizmoWidget: gizmoWidgetEntity,\n',
  },
  {
    path: 'packages/contract/src/base/entity-table.ts',
    before: /(?<=^export const entityPermissions = {)/m,
    text: ' ...gizmoWidgetPermissions,',
  },
  {
    path: 'packages/contract/src/base/entity-table.ts',
    before: /(?<=^export type EntityEvents = )/m,
    text: 'GizmoWidgetEvents & ',
  },
  {
    path: 'packages/server/src/app.ts',
    before: /^import { metricsFeature }/m,
    text: "import { gizmoWidgetsFeature } from './features/gizmo-widgets/feature.ts'\n",
  },
  {
    path: 'packages/server/src/app.ts',
    before: /^ {4}annotationsFeature\(parts\),$/m,
    text: '    gizmoWidgetsFeature(parts),\n',
  },
  {
    path: 'packages/console/src/app/router.tsx',
    before: /^import \* as kubernetes from/m,
    text: "import * as gizmoWidgets from './routes/gizmo-widgets.ts'\n",
  },
  {
    path: 'packages/console/src/app/router.tsx',
    before: /(?<=guardedRoute\.addChildren\({)/,
    text: ' ...gizmoWidgets,',
  },
  {
    path: 'packages/console/src/data/reducers.ts',
    before: /^\/\/ Events that change/m,
    text: "import { gizmoWidgetReducers } from './gizmo-widgets.ts'\n\n",
  },
  {
    path: 'packages/console/src/data/reducers.ts',
    before: /^ {2}\.\.\.annotationReducers,$/m,
    text: '  ...gizmoWidgetReducers,\n',
  },
  {
    path: 'packages/console/src/entities/previews.ts',
    before: /^\/\*\* The preview of each type/m,
    text: "import { GizmoWidgetActions, GizmoWidgetDetails } from './gizmo-widgets/gizmo-widget-preview.tsx'\n\n",
  },
  {
    path: 'packages/console/src/entities/previews.ts',
    before: /^ {2}cluster: {/m,
    text: '  gizmoWidget: { Details: GizmoWidgetDetails, Actions: GizmoWidgetActions },\n',
  },
]

/** Throws where the file has no place for the edit any more: then `before` is to be mended. */
export function edited(text: string, { path, before, text: inserted }: Edit): string {
  const at = text.search(before)
  if (at === -1)
    throw new Error(`${path} has no place like ${String(before)} any more; mend tools/new-noun/edits.ts.`)
  return text.slice(0, at) + inserted + text.slice(at)
}
