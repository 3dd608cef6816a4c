import type { CallOutput } from '@bey/contract'
import { annotationStatuses } from '@bey/contract'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf } from '../../lib/list-location.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { shortComponentName } from './annotation-text.ts'

/** What an address can carry of a component's name; the server looks for a part of it. */
const maxComponentText = 200

export interface AnnotationFiltersProps {
  listLocation: ListLocation
  places: CallOutput<'annotations.places'> | undefined
}

/** What narrows the list beside its text: author, page, component and status. */
export function AnnotationFilters({ listLocation, places }: AnnotationFiltersProps) {
  const { search, change } = listLocation
  const pages = (places?.pages ?? []).map(({ path, count }) => ({ value: path, label: `${path} (${count})` }))
  const components = (places?.components ?? []).map(({ name, count }) => ({
    value: name.slice(0, maxComponentText),
    label: `${shortComponentName(name)} (${count})`,
  }))
  return (
    <>
      <FilterSelect
        label="Author"
        all="Everybody’s"
        value={oneOf(['me'], search.author)}
        options={[{ value: 'me', label: 'Mine' }]}
        onChange={(author) => change({ author })}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        value={oneOf(annotationStatuses, search.status)}
        options={annotationStatuses}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        label="Page"
        all="All pages"
        className="w-40"
        value={search.path}
        options={pages}
        onChange={(path) => change({ path })}
      />
      <FilterSelect
        label="Component"
        all="All components"
        className="w-40"
        value={search.component}
        options={components}
        onChange={(component) => change({ component })}
      />
    </>
  )
}
