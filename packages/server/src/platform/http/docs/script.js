// Hides the endpoints that do not have every word of the filter.
const filter = document.getElementById('filter')
const count = document.getElementById('count')
const items = [...document.querySelectorAll('[data-text]')]
const groups = [...document.querySelectorAll('[data-group]')]

function apply() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const item of items) {
    item.hidden = !words.every((word) => item.dataset.text.includes(word))
    if (!item.hidden && item.tagName === 'ARTICLE') shown += 1
  }
  for (const group of groups)
    group.hidden = ![...group.querySelectorAll('[data-text]')].some((item) => !item.hidden)
  count.textContent = shown === 1 ? '1 endpoint' : `${shown} endpoints`
}

filter.addEventListener('input', apply)
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === filter) return
  event.preventDefault()
  filter.focus()
})
apply()
