-- Points of metrics are kept by time: the server makes partitions ahead and drops those that have run out, in a schema
-- that the application role cannot see. It reaches them through their parents, where the policies are.
CREATE SCHEMA "metric_partitions";
--> statement-breakpoint
CREATE TABLE "metric_hours" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"averages" real[] NOT NULL,
	"maxima" real[] NOT NULL,
	CONSTRAINT "metric_hours_pk" PRIMARY KEY("organization_id","block","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "metric_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_minutes" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"averages" real[] NOT NULL,
	"maxima" real[] NOT NULL,
	CONSTRAINT "metric_minutes_pk" PRIMARY KEY("organization_id","block","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "metric_minutes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_pending" (
	"organization_id" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metric_pending_pk" PRIMARY KEY("organization_id","step","at")
);
--> statement-breakpoint
ALTER TABLE "metric_pending" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_samples" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"readings" real[] NOT NULL,
	CONSTRAINT "metric_samples_pk" PRIMARY KEY("organization_id","block","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "metric_samples" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_quotas" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"last_block" integer DEFAULT 0 NOT NULL,
	"refused_at" timestamp (3) with time zone,
	"refused_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "metric_quotas" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "metric_series" (
	"organization_id" integer NOT NULL,
	"block" integer NOT NULL,
	"slot" smallint NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"metric" text NOT NULL,
	"labels" jsonb NOT NULL,
	"span" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metric_series_pk" PRIMARY KEY("organization_id","block","slot"),
	CONSTRAINT "metric_series_span_is_known" CHECK ("metric_series"."span" in ('days', 'year'))
);
--> statement-breakpoint
ALTER TABLE "metric_series" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "metric_minutes_at_idx" ON "metric_minutes" USING btree ("organization_id","at");--> statement-breakpoint
CREATE INDEX "metric_pending_at_idx" ON "metric_pending" USING btree ("at");--> statement-breakpoint
CREATE INDEX "metric_samples_at_idx" ON "metric_samples" USING btree ("organization_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "metric_series_name_idx" ON "metric_series" USING btree ("organization_id","entity_type","entity_id","metric","labels");--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_hours" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_hours" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_minutes" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_minutes" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_pending" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_pending" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_samples" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_samples" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_quotas" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_quotas" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_series" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_series" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);