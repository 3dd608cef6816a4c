CREATE TABLE "dashboard_layouts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" integer NOT NULL,
	"user_id" integer,
	"cards" jsonb NOT NULL,
	"updated_by" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dashboard_layouts_owner_key" UNIQUE NULLS NOT DISTINCT("organization_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "dashboard_layouts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "dashboard_layouts" ADD CONSTRAINT "dashboard_layouts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_layouts" ADD CONSTRAINT "dashboard_layouts_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_layouts" ADD CONSTRAINT "dashboard_layouts_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dashboard_layouts_updated_by_idx" ON "dashboard_layouts" USING btree ("updated_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "dashboard_layouts" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "dashboard_layouts" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);