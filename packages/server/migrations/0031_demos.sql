CREATE TABLE "demos" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"created_by" integer,
	"incident_cluster_id" integer,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"asleep_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "demos" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "demo_organization_id" integer;--> statement-breakpoint
ALTER TABLE "demos" ADD CONSTRAINT "demos_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "demos" ADD CONSTRAINT "demos_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "demos" ADD CONSTRAINT "demos_incident_cluster_id_clusters_id_fk" FOREIGN KEY ("incident_cluster_id") REFERENCES "public"."clusters"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "demos_created_by_idx" ON "demos" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "demos_incident_cluster_id_idx" ON "demos" USING btree ("incident_cluster_id");--> statement-breakpoint
CREATE INDEX "demos_ends_at_idx" ON "demos" USING btree ("ends_at");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_demo_organization_id_organizations_id_fk" FOREIGN KEY ("demo_organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_demo_organization_id_idx" ON "users" USING btree ("demo_organization_id") WHERE "users"."demo_organization_id" is not null;--> statement-breakpoint
CREATE POLICY "tenant" ON "demos" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "demos" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);