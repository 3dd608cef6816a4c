CREATE TABLE "as_code_marks" (
	"organization_id" integer NOT NULL,
	"kind" text NOT NULL,
	"thing_id" text NOT NULL,
	"label" text NOT NULL,
	CONSTRAINT "as_code_marks_organization_id_label_kind_thing_id_pk" PRIMARY KEY("organization_id","label","kind","thing_id")
);
--> statement-breakpoint
ALTER TABLE "as_code_marks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "as_code_marks" ADD CONSTRAINT "as_code_marks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "tenant" ON "as_code_marks" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "as_code_marks" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);