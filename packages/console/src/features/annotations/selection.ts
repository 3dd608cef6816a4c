import { annotationLimits } from '@bey/contract'
import type { Box } from './box.ts'
import { boxOf, unionOf } from './box.ts'
import type { ComponentLevel } from './component-levels.ts'
import { componentNameOf, levelsOf } from './component-levels.ts'
import { xpathOf } from './xpath.ts'

/** What is being annotated: one element, or all of an area. Never empty. */
export interface Targets {
  isArea: boolean
  elements: readonly Element[]
  /** The element that was first meant, where a level above it is meant now. */
  innermost?: Element
}

/** What a note says about where it belongs. */
export interface AnnotationLocation {
  componentName: string
  /** Around one element; empty for an area. */
  levels: readonly ComponentLevel[]
  /** One per line. */
  xpath: string
  selectedText: string | undefined
  elementRect: Box
}

export function locationOf({ isArea, elements, innermost }: Targets): AnnotationLocation {
  const [first] = elements
  if (!first) throw new RangeError('A place needs an element.')
  return {
    componentName: isArea ? areaName(elements) : componentNameOf(first),
    levels: isArea ? [] : levelsOf(innermost ?? first),
    xpath: elements.map(xpathOf).join('\n'),
    selectedText: isArea ? undefined : selectedTextIn(first),
    elementRect: unionOf(elements.map(boxOf)),
  }
}

/** As specified: how many elements, and the distinct components that they belong to. */
export function areaName(elements: readonly Element[]): string {
  const names = [...new Set(elements.map(componentNameOf))].join(', ')
  return `Area Selection (${elements.length} elements): ${names}`.slice(0, annotationLimits.componentName)
}

/** The page's selected text, if any of it stands in the element. */
function selectedTextIn(element: Element): string | undefined {
  const selection = element.ownerDocument.getSelection()
  if (!selection || selection.isCollapsed || !selection.getRangeAt(0).intersectsNode(element))
    return undefined
  const text = selection.toString().trim().slice(0, annotationLimits.selectedText)
  return text === '' ? undefined : text
}
