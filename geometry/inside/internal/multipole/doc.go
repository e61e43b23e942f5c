// Package multipole is the winding number of a surface about points as a double layer potential, by
// the fast multipole method of Muth et al. (2006, section 2.1).
package multipole
