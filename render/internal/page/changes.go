package page

import "benchline/render/report"

// Erratum is a note that something in or about a record was wrong.
type Erratum struct {
	Date, Text string
	Link       report.Link // to the record, on the page of all changes
}

// Withdrawn is a record that is no longer shown.
type Withdrawn struct {
	Slug, Reason, Date string
	Title              string       // of the record, where it is known
	Known              string       // ID of its evidence; empty: not there any more
	SupersededBy       *report.Link // as seen from the site's root
	Errata             []Erratum
}

// Changes is the data of the page of all withdrawals and errata, the newest first.
type Changes struct {
	Withdrawn []Withdrawn
	Errata    []Erratum
}

// Changes makes the page of all withdrawals and errata.
func (r *Renderer) Changes(c Changes) (Output, error) {
	m := r.meta("changes.html", BrowseSection, "Errata and withdrawals", "What was found to be wrong in this site’s records, and the records that were withdrawn.")
	m.Crumbs = []report.Link{{Text: "Browse", Href: "browse/index.html"}, {Text: "Errata and withdrawals"}}
	return r.render("changes", view{Meta: m, Data: c}, &slots{})
}

// Tombstone makes the page that stays at the address of a withdrawn record.
func (r *Renderer) Tombstone(w Withdrawn) (Output, error) {
	title := "Withdrawn: " + w.Slug
	m := r.meta("records/"+w.Slug+".html", "Records", title, "This record was withdrawn on "+w.Date+".")
	m.Crumbs = []report.Link{{Text: "Records", Href: "index.html"}, {Text: w.Slug}}
	if s := w.SupersededBy; s != nil {
		w.SupersededBy = &report.Link{Text: s.Text, Href: "../" + s.Href}
	}
	return r.render("tombstone", view{Meta: m, Data: w}, &slots{})
}
