import { entity } from '../base/entity.ts'

export type AnnotationEvents = {
  /** A note on a page was made, changed, replied to or deleted. */
  ANNOTATIONS_UPDATE: { annotationId: string }
}

export const annotationEntity = entity({
  idKind: 'uuid',
  singular: 'annotation',
  plural: 'annotations',
  icon: 'message-square',
  paths: { list: '/workspaces/settings/annotations' },
  readPermission: 'annotations.read',
  statuses: { open: 'quiet', resolved: 'quiet' },
  label: (row: { componentName: string }) => row.componentName,
  subtitle: (row: { url: string }) => row.url,
  events: {
    ANNOTATIONS_UPDATE: {
      audience: 'organization',
      changedId: 'annotationId',
      webhook: {
        name: 'annotation.updated',
        about: 'A note on a page was made, changed, replied to or deleted.',
        sample: {
          annotationId: '019a0000-0000-7000-8000-000000000004',
        } satisfies AnnotationEvents['ANNOTATIONS_UPDATE'],
      },
    },
  },
  subscriptions: {},
})
