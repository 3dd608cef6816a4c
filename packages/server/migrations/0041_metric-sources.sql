CREATE TABLE "metric_sources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"target" jsonb NOT NULL,
	"tested_at" timestamp (3) with time zone,
	"problem" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "metric_sources" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "source" text DEFAULT 'metrics' NOT NULL;--> statement-breakpoint
ALTER TABLE "metric_sources" ADD CONSTRAINT "metric_sources_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "metric_sources" ADD CONSTRAINT "metric_sources_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "metric_sources_name_key" ON "metric_sources" USING btree ("organization_id",lower(name));--> statement-breakpoint
CREATE INDEX "metric_sources_created_by_idx" ON "metric_sources" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "metric_sources" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "metric_sources" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);