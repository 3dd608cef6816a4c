/** Shown while a lazily loaded page is fetched. */
export function Loading() {
  return (
    <output data-skeleton="" className="block px-(--gutter) py-8 text-text-3">
      Loading...
    </output>
  )
}
