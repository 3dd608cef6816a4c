import type { Annotation } from '@bey/contract'
import { componentNameOf } from './component-levels.ts'
import { elementAtXPath } from './xpath.ts'

export interface Found {
  elements: readonly Element[]
  /** Elements of the note that the page no longer has. */
  missing: number
}

/**
 * The elements of a note in the page. What stands at the path now but belongs to another component is not what was
 * meant, and counts as missing.
 */
export function findAnnotated(note: Pick<Annotation, 'xpath' | 'componentName'>): Found {
  const paths = note.xpath.split('\n')
  const elements = paths.flatMap((path) => elementAtXPath(document, path) ?? [])
  const meant = elements.filter((each) => isOf(note.componentName, componentNameOf(each)))
  return { elements: meant, missing: paths.length - meant.length }
}

function isOf(componentName: string, name: string): boolean {
  const area = /^Area Selection \(\d+ elements\): (.*)$/s.exec(componentName)
  if (!area) return componentName === name
  const names = (area[1] ?? '').split(', ')
  // A long list of names may have been cut off in the midst of the last one.
  return names.includes(name) || name.startsWith(names.at(-1) ?? name)
}
