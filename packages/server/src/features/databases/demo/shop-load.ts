import pg from 'pg'

/** Tables of a shop with invented rows: small enough to be made within a second. */
const tables = `
  create table if not exists customers (
    id int primary key generated always as identity, name text not null, city text not null, since date not null);
  create table if not exists products (
    id int primary key generated always as identity, title text not null, price_cents int not null, stock int not null);
  create table if not exists orders (
    id int primary key generated always as identity, customer_id int not null references customers,
    status text not null, placed_at timestamptz not null default now());
  create table if not exists order_lines (
    order_id int not null references orders, product_id int not null references products, quantity int not null,
    primary key (order_id, product_id));
  create index if not exists orders_placed_at_idx on orders (placed_at);`

const rows = `
  insert into customers (name, city, since)
    select 'Customer ' || n, (array['Lyon','Oslo','Porto','Graz','Turku'])[1 + n % 5], current_date - n % 900
    from generate_series(1, 2000) n;
  insert into products (title, price_cents, stock)
    select 'Product ' || n, 300 + n * 37 % 9000, n * 13 % 400 from generate_series(1, 400) n;
  insert into orders (customer_id, status, placed_at)
    select 1 + n * 7 % 2000, (array['paid','sent','delivered'])[1 + n % 3], now() - make_interval(mins => n)
    from generate_series(1, 15000) n;
  insert into order_lines (order_id, product_id, quantity)
    select o, 1 + (o * 11 + k * 97) % 400, 1 + o % 3 from generate_series(1, 15000) o, generate_series(1, 2) k;`

/** What the shop asks in a round, most often the cheap questions; the search by city has no index to use. */
const statements: readonly { text: string; times: number; values: (random: () => number) => unknown[] }[] = [
  {
    text: 'select title, price_cents, stock from products where id = $1',
    times: 12,
    values: (random) => [1 + Math.floor(random() * 400)],
  },
  {
    text: "select o.id, o.status, sum(l.quantity * p.price_cents) as cents from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id where o.placed_at > now() - interval '1 hour' group by o.id order by o.id desc limit 20",
    times: 2,
    values: () => [],
  },
  {
    text: 'select count(*) from orders o join customers c on c.id = o.customer_id where c.city = $1',
    times: 1,
    values: (random) => [['Lyon', 'Oslo', 'Porto', 'Graz', 'Turku'][Math.floor(random() * 5)]],
  },
  {
    text: "insert into orders (customer_id, status) values ($1, 'paid')",
    times: 3,
    values: (random) => [1 + Math.floor(random() * 2_000)],
  },
  {
    text: 'update products set stock = greatest(0, stock - 1) where id = $1',
    times: 3,
    values: (random) => [1 + Math.floor(random() * 400)],
  },
  {
    text: "delete from orders where id in (select id from orders o where placed_at > now() - interval '1 hour' and status = 'paid' and not exists (select 1 from order_lines l where l.order_id = o.id) order by placed_at limit 2)",
    times: 1,
    values: () => [],
  },
]

/** Connects as the program of a shop would. */
export async function openShop(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...config,
    application_name: 'ostwind-shop',
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Makes the tables of the shop and their rows unless they exist; true if it did. */
export async function makeTables(client: pg.Client): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "select to_regclass('order_lines') is not null as there",
  )
  if (found[0]?.there === true) return false
  // One message is one transaction: a crash leaves all of it or nothing.
  await client.query(`${tables}${rows}`)
  await client.query('analyze')
  return true
}

/** One round of what customers of the shop cause. */
export async function askOnce(client: pg.Client, random: () => number): Promise<void> {
  for (const { text, times, values } of statements)
    for (let at = 0; at < times; at += 1) await client.query(text, values(random))
}
