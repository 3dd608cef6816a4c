CREATE TABLE "resource_tags" (
	"organization_id" integer NOT NULL,
	"resource_id" text NOT NULL,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"owner_id" integer,
	"missing_since" timestamp (3) with time zone,
	CONSTRAINT "resource_tags_organization_id_resource_id_pk" PRIMARY KEY("organization_id","resource_id")
);
--> statement-breakpoint
ALTER TABLE "resource_tags" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "resource_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "resource_views" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "resource_tags" ADD CONSTRAINT "resource_tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_tags" ADD CONSTRAINT "resource_tags_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_views" ADD CONSTRAINT "resource_views_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_views" ADD CONSTRAINT "resource_views_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "resource_tags_owner_id_idx" ON "resource_tags" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "resource_views_name_key" ON "resource_views" USING btree ("organization_id","created_by",lower("name"));--> statement-breakpoint
CREATE INDEX "resource_views_created_by_idx" ON "resource_views" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "resource_tags" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "resource_tags" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "resource_views" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "resource_views" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);