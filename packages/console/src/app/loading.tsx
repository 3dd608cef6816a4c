/** The word that stands for a page on its way. */
export function Loading() {
  return <output className="block px-(--gutter) py-8 text-text-3">Loading...</output>
}
