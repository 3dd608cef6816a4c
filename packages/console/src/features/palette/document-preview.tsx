import { Button } from '../../ui/button.tsx'
import type { PaletteItems } from './item.ts'
import type { ActionsProps } from './kinds.tsx'

type Item = PaletteItems['document']

/** The page that a passage is of, and its words. */
export function DocumentDetails({ item: { hit } }: { item: Item }) {
  return (
    <>
      <p className="text-text-2">Documentation, {hit.page}</p>
      <p>{hit.excerpt === '' ? hit.text.slice(0, 240) : hit.excerpt}</p>
    </>
  )
}

export function DocumentActions({ onChoose }: ActionsProps<Item>) {
  return (
    <Button variant="primary" onClick={onChoose}>
      Read it
    </Button>
  )
}
