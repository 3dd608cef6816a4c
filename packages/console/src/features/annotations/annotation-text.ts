import type { Annotation } from '@bey/contract'
import { annotationParam } from './page-url.ts'

/** Where a note is shown at its element. */
export function annotationHref({ id, url }: Pick<Annotation, 'id' | 'url'>): string {
  return `${url}${url.includes('?') ? '&' : '?'}${annotationParam}=${id}`
}

/** An area's name without the list of its components, which a row has no room for. */
export function shortComponentName(name: string): string {
  return name.replace(/^(Area Selection \(\d+ elements\)): .*$/s, '$1')
}
